/** True in the long form (`npm test -- --long`), which tries everything that the short form tries in turns. */
export const isLong = process.env.TEST_FORM === 'long'

/**
 * How often a property is tried: `few` times in every test run, `many` in the long form (`npm test -- --long`). Each run draws new
 * values, so the short runs of many days try many values.
 */
export const runs = (few: number, many: number): number => (isLong ? many : few)
