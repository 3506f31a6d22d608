import { z } from 'zod/v4'

/** A field that is sent twice counts as it was sent last; what is no text is nothing. */
export const OneTyped = z.preprocess((sent) => (Array.isArray(sent) ? (sent as unknown[]).at(-1) : sent), z.string()).catch('')

/** What was typed into the rows of a table: fields `qty.<ISIN>`. */
export const UnitsTyped = z.record(z.string(), OneTyped).catch({})

/** Characters that such a field takes, and that an address keeps of it. */
export const MAX_TYPED = 12

/** The fields in each row of such a table: whether the row is selected, and its units. */
export const ROW_FIELDS = /^(isin|qty\.[A-Z0-9]{12})$/
