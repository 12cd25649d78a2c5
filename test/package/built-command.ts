/** Lays out what has been built as npm installs it, and has the tests that run the command run that. */
import { layPackage, layTested } from "../support/laid-package.ts";

export default () => layTested(layPackage);
