import { z } from 'zod/v4'

/** The last value counts when a field is sent twice; a value that is not text counts as empty. */
export const OneTyped = z.preprocess((sent) => (Array.isArray(sent) ? (sent as unknown[]).at(-1) : sent), z.string()).catch('')

/** The units typed into the rows of a table: fields `qty.<ISIN>`. */
export const UnitsTyped = z.record(z.string(), OneTyped).catch({})

/** Maximum characters of such a field, in the form and in an address. */
export const MAX_TYPED = 12

/** The fields in each row of such a table: whether the row is selected, and its units. */
export const ROW_FIELDS = /^(isin|qty\.[A-Z0-9]{12})$/
