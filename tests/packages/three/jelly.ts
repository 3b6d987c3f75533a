// The example of the package, as it is.
import './jellyCube.ts';
