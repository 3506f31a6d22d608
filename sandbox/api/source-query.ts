import { z } from 'zod/v4'

/** The calling product, which nearly every call names. */
export const Source = z.object({
	source: z
		.string()
		.regex(/^[a-z]{2,20}$/)
		.optional(),
})

/** Required by the operations that the specification shows with it. */
export const SourceRequired = z.object({ source: z.string('source is required').regex(/^[a-z]{2,20}$/) })
