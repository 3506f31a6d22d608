import { z } from 'zod/v4'

/** The calling product. Nearly every call names it. */
export const Source = z.object({
	source: z
		.string()
		.regex(/^[a-z]{2,20}$/)
		.optional(),
})

/** For operations whose `source` is required by the specification. */
export const SourceRequired = z.object({ source: z.string('source is required').regex(/^[a-z]{2,20}$/) })
