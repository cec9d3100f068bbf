// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

/**
 * Which jobs are watched: one, those of a domain, or all. As text it is the job's id, {@code domain/} and the domain's
 * name, or nothing.
 */
public sealed interface JobPath {
    /** Every job. */
    JobPath ALL = new All();

    /** Whether that job is one of them. */
    boolean matches(Job job);

    /** What {@link #parse} reads. */
    String text();

    static JobPath job(String id) {
        return new OfJob(id);
    }

    static JobPath domain(String domain) {
        return new OfDomain(domain);
    }

    /** @throws HeadmastException.Invalid if the text is no path, or the name in it is malformed */
    static JobPath parse(String text) {
        if (text.isEmpty()) {
            return ALL;
        }
        return text.startsWith(OfDomain.PREFIX)
                ? domain(text.substring(OfDomain.PREFIX.length()))
                : job(Names.require("path", text));
    }

    record OfJob(String id) implements JobPath {
        public OfJob {
            Names.require("id", id);
        }

        @Override
        public boolean matches(Job job) {
            return job.id().equals(id);
        }

        @Override
        public String text() {
            return id;
        }
    }

    record OfDomain(String domain) implements JobPath {
        /** No job's id has a slash in it. */
        private static final String PREFIX = "domain/";

        public OfDomain {
            Names.require("domain", domain);
        }

        @Override
        public boolean matches(Job job) {
            return job.domain().equals(domain);
        }

        @Override
        public String text() {
            return PREFIX + domain;
        }
    }

    record All() implements JobPath {
        @Override
        public boolean matches(Job job) {
            return true;
        }

        @Override
        public String text() {
            return "";
        }
    }
}
