import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest. If one of them started last, it would run alone at the end. */
const SLOW = [
	'tests/faults/long-lists.test.ts',
	'tests/faults/pages.test.ts',
	'tests/faults/downloads.test.ts',
	'tests/portal/other-days.test.ts',
	'tests/routes/funds/money-access.test.ts',
	'tests/routes/reports/files.test.ts',
	'tests/security/hostile-input.property.test.ts',
	'tests/portal/odd-data.test.ts',
	'tests/portal/broker-check.test.ts',
	'tests/portal/only-required.test.ts',
	'tests/portal/failed-posts.test.ts',
	'tests/routes/dashboard/one-figure.test.ts',
	'tests/services/postgres.test.ts',
	'tests/services/hledger.test.ts',
]

/** A process is kept only while the next file is of its project. */
const PROJECTS = ['alone', 'portal', 'others']

/** The order of test files: by project, in each the slow files first, and the others in Vitest's order. */
export class SlowFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files)
		const rank = ({ moduleId, project }: TestSpecification) =>
			PROJECTS.indexOf(project.name) * 2 + (SLOW.some((file) => moduleId.endsWith(file)) ? 0 : 1)
		return sorted.sort((one, other) => rank(one) - rank(other))
	}
}
