import { type IpoApplication, type IpoIssue } from '#contract/ipo'
import { isBidAlive } from './bid-table.server'
import { removeLimits } from './category-label'

/** A category that takes no further application of the client. */
export type UsedCategory = {
	/** The number of the application that uses it. */
	number: string
	/** The category of that application, without its limits. */
	name: string
	/** That application was made in this very category. */
	isSame: boolean
}

/** Individuals and HNI bid in the same public part, where a PAN has one application. Each reserved category has one more. */
const PUBLIC: readonly string[] = ['IND', 'HNI']

/** Returns the name of a category without its limits, or its code when the issue has no such category. */
export const nameCategory = (issue: Pick<IpoIssue, 'categories'>, code: string): string =>
	removeLimits(issue.categories.find((each) => each.code === code)?.label ?? '') || code

/** Returns the client's applications for an issue that count or can still count. */
export const listApplied = (issue: IpoIssue, applications: readonly IpoApplication[] = []) =>
	applications
		.filter((each) => each.symbol === issue.symbol && isBidAlive(each))
		.map(({ application_no, category }) => ({ number: application_no, code: category, category: nameCategory(issue, category) }))

/** Returns the used categories of an issue by their codes; none when the applications are not known. */
export function findUsedCategories(issue: IpoIssue, applications?: readonly IpoApplication[]): ReadonlyMap<string, UsedCategory> {
	const applied = listApplied(issue, applications)
	return new Map(
		issue.categories.flatMap(({ code }) => {
			const by = applied.find((each) => each.code === code) ?? (PUBLIC.includes(code) && applied.find((each) => PUBLIC.includes(each.code)))
			return by ? [[code, { number: by.number, name: by.category, isSame: by.code === code }] as const] : []
		}),
	)
}
