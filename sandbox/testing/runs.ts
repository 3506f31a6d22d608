/**
 * How often a property is tried: `few` times in every run of the tests, `many` in the long form (`npm test -- --long`). Each run draws
 * values of its own, so the short runs of many days try much.
 */
export const runs = (few: number, many: number): number => (process.env.TEST_FORM === 'long' ? many : few)
