// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.docs;

import io.headmast.worker.HeadmastWorker;
import io.headmast.worker.WorkerContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
class SpringConfiguration {
    @Bean
    HeadmastWorker.Builder headmast() {
        return HeadmastWorker.builder(
                WorkerContext.builder().etcdEndpoints("http://127.0.0.1:2379").build());
    }
}
