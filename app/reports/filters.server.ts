import { type SubmissionResult } from '@conform-to/react'
import { redirect } from '@remix-run/node'
import { z } from 'zod/v4'
import { type Day } from '#contract/values/dates'
import { parseDay } from '#contract/values/typed-day'
import { type FinancialYear, findFinancialYear, findLastDay, startOfYear } from '#contract/values/financial-year'
import { today } from '~/broker/clock.server'

/** Nobody has traded before or after, and sums of days at the ends of the calendar leave it. */
const FIRST_DAY = '1900-01-01'
const LAST_DAY = '2199-12-31'

/** A date that may be typed in three ways, or left out. */
const typedDay = (name: string) =>
	z
		.string()
		.optional()
		.transform((typed, context): Day | undefined => {
			if (typed === undefined || typed.trim() === '') return undefined
			const day = parseDay(typed)
			if (day === undefined || day < FIRST_DAY || day > LAST_DAY)
				context.addIssue({ code: 'custom', message: `${name} date must be a real date, like 31/03/2025` })
			return day
		})

/** The two fields of a period. */
export const typedPeriod = { from: typedDay('From'), to: typedDay('To') }

/** Checks the rules of all periods. A period must not begin after today: nothing is known of future days, not even a zero balance. */
export function checkPeriod({ from, to }: { from?: Day; to?: Day }, context: z.RefinementCtx): void {
	const issue = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
	if (from !== undefined && to !== undefined && from > to) issue('to', 'To date must be the same as or after the From date')
	if (from !== undefined && from > today()) issue('from', 'From date must be today or earlier')
}

/**
 * Completes a period: it begins and ends with the financial year, up to today. A single day before or after that year takes its own
 * financial year in its place, so that no period ends before it begins.
 */
export function completePeriod({ from, to }: { from?: Day; to?: Day }, year: FinancialYear): { from: Day; to: Day } {
	const first = startOfYear(year)
	const last = findLastDay(year, today())
	if (from && from > last) return { from, to: to ?? findLastDay(findFinancialYear(from), today()) }
	return { from: from ?? (to && to < first ? startOfYear(findFinancialYear(to)) : first), to: to ?? last }
}

/**
 * Redirects a page to its address with ISO days when a day was typed in another way: without a script a form sends it as typed, but an
 * address that is shared or bookmarked has ISO days. A day that cannot be read stays, for the message about it. Files read both.
 * `wanted` is the page's address when more than the days must change.
 */
export function requireIsoDays(url: URL, wanted: URL = url): void {
	const right = new URL(wanted)
	for (const name of ['from', 'to']) {
		const typed = right.searchParams.get(name)
		const day = parseDay(typed ?? '')
		if (day && day !== typed) right.searchParams.set(name, day)
	}
	if (right.href !== url.href) throw redirect(right.pathname + right.search)
}

type Read<Value> = { value: Value; result?: undefined } | { value?: undefined; result: SubmissionResult }

/**
 * Reads the fields that a schema names, each from the first parameter of that name. `result` has the error messages by field. Does not
 * read other parameters: conform would make an array of sixty million items of `from[60000000]`.
 */
export function readQuery<Schema extends z.ZodObject>(query: URLSearchParams, schema: Schema): Read<z.output<Schema>> {
	const typed = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, query.get(name) ?? undefined]))
	const { success, data, error } = schema.safeParse(typed)
	if (success) return { value: data }
	const messages: Record<string, string[]> = {}
	for (const { path, message } of error.issues) (messages[path.join('.')] ??= []).push(message)
	return { result: { status: 'error', error: messages } }
}
