import { z } from 'zod/v4'
import { type Day, parseDay } from '~/lib/days'

/** A date that a person may type in three ways, or leave out. */
export const typedDay = (name: string) =>
	z
		.string()
		.optional()
		.transform((typed, context): Day | undefined => {
			if (typed === undefined || typed.trim() === '') return undefined
			const day = parseDay(typed)
			if (day === undefined) context.addIssue({ code: 'custom', message: `${name} date must be a real date, like 31/03/2025` })
			return day
		})
