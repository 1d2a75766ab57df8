/** The tests of what was built run with SIMD, as the command and the demo do; those of the sources run without. */
import { enableSimd } from "@curvature/linalg/simd";

enableSimd();
