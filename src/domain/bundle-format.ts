/** Identifies a file as a bundle of this product. */
export const BUNDLE_FORMAT = "payments-sandbox-bundle";
