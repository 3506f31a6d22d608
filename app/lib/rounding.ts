import { type Paise } from '#contract/values/money'

/** Roundings of many figures mostly cancel out, so more is an error. */
const MOST_OFF: Paise = 100

/** How far a sum may be from a stated one when this many figures in them were rounded to paise: half a paisa each, a rupee at most. */
export const allowRounding = (figures: number): Paise => Math.min(figures / 2, MOST_OFF)

/** True when a sum of that many rounded figures may be the stated one, which is rounded too. */
export const mayBeSum = (made: Paise, stated: Paise, figures: number): boolean => Math.abs(made - stated) <= allowRounding(figures + 1)
