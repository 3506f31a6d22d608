import { Fragment } from 'react'

type Ledger = { cocd: string; title: string; help: string }

/** Checkboxes for the ledgers that a withdrawal may come from. A single one is checked. */
export function LedgerChoice({ ledgers, chosen, errors }: { ledgers: readonly Ledger[]; chosen: readonly string[]; errors?: string[] }) {
	return (
		<fieldset className="field" aria-describedby={errors ? 'ledgers-error' : undefined}>
			<legend>Ledgers</legend>
			{ledgers.map(({ cocd, title, help }, at) => (
				<Fragment key={cocd}>
					<label className="check" htmlFor={`ledgers-${at}`}>
						<input
							id={`ledgers-${at}`}
							type="checkbox"
							name="ledgers"
							value={cocd}
							defaultChecked={chosen.includes(cocd) || ledgers.length === 1}
							aria-describedby={`ledgers-${at}-help`}
						/>
						<span>{title}</span>
					</label>
					<p id={`ledgers-${at}-help`} className="help under-check">
						{help}
					</p>
				</Fragment>
			))}
			{errors && (
				<p id="ledgers-error" className="error">
					<span>
						<span className="sr-only">Error: </span>
						{errors.join(' ')}
					</span>
				</p>
			)}
		</fieldset>
	)
}
