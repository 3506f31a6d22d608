import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take more than half a minute on two cores. Begun last, one of them would run alone at the end. */
const SLOW = [
	'tests/faults/pages.test.ts',
	'tests/portal/odd-data.test.ts',
	'tests/faults/downloads.test.ts',
	'tests/portal/only-required.test.ts',
	'tests/routes/funds/money-access.test.ts',
	'tests/security/hostile-input.property.test.ts',
	'tests/services/hledger.test.ts',
	'tests/portal/only-required-forms.test.ts',
	'tests/portal/broker-check.test.ts',
]

/** The order of files of tests: slow ones first, the others as Vitest would have them. */
export class SlowFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files)
		const isSlow = ({ moduleId }: TestSpecification) => SLOW.some((file) => moduleId.endsWith(file))
		return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
	}
}
