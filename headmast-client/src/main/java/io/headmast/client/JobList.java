// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import io.headmast.api.HeadmastException;
import io.headmast.api.JobPage;
import io.headmast.api.JobQuery;
import io.headmast.api.JobView;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The jobs that a query matches, by ascending id, fetched page by page while they are iterated over: nothing is asked for
 * before its turn, and no more than one page is held. Every iterator starts over.
 *
 * <p>A job that exists all the while is seen exactly once, whatever else changes meanwhile; one that is created or
 * deleted meanwhile may be seen or not. A page that would be too large for one answer is asked for in smaller ones.
 *
 * <p>The list is thread-safe; an iterator belongs to one thread. Iterating throws what {@link
 * HeadmastClient#getJobPage} throws.
 */
public final class JobList implements Iterable<JobView> {
    private final JobQuery query;
    private final Function<JobQuery, JobPage> pages;

    JobList(JobQuery query, Function<JobQuery, JobPage> pages) {
        this.query = query;
        this.pages = pages;
    }

    @Override
    public Iterator<JobView> iterator() {
        return new Pages(query, pages);
    }

    /** The same as a sequential stream, as lazy as the iterator. */
    public Stream<JobView> stream() {
        return StreamSupport.stream(spliterator(), false);
    }

    /** All of them, in memory. */
    public List<JobView> toList() {
        return stream().toList();
    }

    private static final class Pages implements Iterator<JobView> {
        private final Function<JobQuery, JobPage> pages;
        private Iterator<JobView> page = List.<JobView>of().iterator();
        private Optional<JobQuery> rest;

        Pages(JobQuery query, Function<JobQuery, JobPage> pages) {
            this.pages = pages;
            this.rest = Optional.of(query);
        }

        @Override
        public boolean hasNext() {
            while (!page.hasNext() && rest.isPresent()) {
                turn(rest.get());
            }
            return page.hasNext();
        }

        @Override
        public JobView next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return page.next();
        }

        private void turn(JobQuery query) {
            try {
                JobPage given = pages.apply(query);
                page = given.items().iterator();
                rest = after(query, given);
            } catch (HeadmastException.TooLarge e) {
                if (query.limit() == 1) {
                    throw e;
                }
                rest = Optional.of(query.withLimit(query.limit() / 2));
            }
        }
    }

    /** The query of the page after this one; a cursor that doesn't move on would never end. */
    static Optional<JobQuery> after(JobQuery query, JobPage page) {
        if (page.next().isPresent() && page.next().equals(query.cursor())) {
            throw new HeadmastException.Internal("the server's list of jobs does not move on after "
                    + page.next().get());
        }
        return page.next().map(query::from);
    }
}
