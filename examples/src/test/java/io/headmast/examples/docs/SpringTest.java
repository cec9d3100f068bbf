// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.Phase;
import io.headmast.examples.testing.InMemoryHeadmast;
import io.headmast.worker.HeadmastWorker;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** The worker lives as long as the Spring context that it is in. */
class SpringTest {
    private final OrderChains chains = new OrderChains();

    @Test
    void theContextStartsTheWorkerAndClosesIt() {
        try (InMemoryHeadmast headmast = new InMemoryHeadmast()) {
            HeadmastLifecycle lifecycle;
            try (AnnotationConfigApplicationContext spring = context(headmast)) {
                spring.refresh();
                lifecycle = spring.getBean(HeadmastLifecycle.class);
                headmast.running(order());
                assertEquals(Set.of("o-1"), chains.running());
                assertTrue(lifecycle.worker().isRunning());
            }
            assertEquals(Set.of(), chains.running());
            assertFalse(lifecycle.isRunning());
            headmast.await("o-1", Phase.PENDING);
        }
    }

    @Test
    void aContextThatIsStoppedCanBeStartedAgain() {
        try (InMemoryHeadmast headmast = new InMemoryHeadmast();
                AnnotationConfigApplicationContext spring = context(headmast)) {
            spring.refresh();
            headmast.running(order());

            spring.stop();
            headmast.await("o-1", Phase.PENDING);
            spring.start();
            headmast.await("o-1", Phase.RUNNING);
        }
    }

    private static Job order() {
        return Job.builder().id("o-1").domain("orders").build();
    }

    private AnnotationConfigApplicationContext context(InMemoryHeadmast headmast) {
        AnnotationConfigApplicationContext spring = new AnnotationConfigApplicationContext();
        spring.registerBean(HeadmastWorker.Builder.class, () -> headmast.builder("app-1"));
        spring.registerBean("orders", OrderChains.class, () -> chains);
        spring.register(HeadmastLifecycle.class);
        return spring;
    }
}
