/** Commands and cached reads: what every server offers, whoever leads. */
@NullMarked
package io.headmast.core.manager;

import org.jspecify.annotations.NullMarked;
