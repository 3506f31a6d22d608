/** The papers that count as proof of income (domain B-10). */
const PAPERS = [
	'Bank statement of the last 6 months',
	'ITR acknowledgement',
	'Form 16',
	'Salary slip',
	'Net worth certificate',
	'Demat holding statement',
]

/** The papers behind a fold: a client who has one at hand need not read the list. `isBesideField`: the field's help has the formats. */
export function IncomeProof({ isBesideField = false }: { isBesideField?: boolean }) {
	return (
		<details className={`mb-4 text-sm ${isBesideField ? '-mt-3' : ''}`}>
			<summary className="text-primary w-fit py-2">What counts as proof of income</summary>
			<p>One of these{isBesideField ? '' : ', as PDF, JPEG or PNG, at most 5\u00A0MB, without a password'}:</p>
			<ul className="mt-1 list-disc pl-5">
				{PAPERS.map((paper) => (
					<li key={paper}>{paper}</li>
				))}
			</ul>
		</details>
	)
}
