/** What goes wrong in a simulated cluster, one class for each. */
@NullMarked
package io.headmast.sim.fault;

import org.jspecify.annotations.NullMarked;
