import { Fragment } from 'react'
import { CHECK, FieldSet } from '~/components/field-frame'
import { FieldError } from '~/components/form'
import { Unbroken } from '~/components/unbroken'

/** `figure`: what can be withdrawn from it; undefined when nothing can. `isOff`: its payout in progress allows no other. */
type Ledger = { cocd: string; title: string; figure?: string; help?: string; isOff: boolean }

/** Checkboxes for the ledgers that a withdrawal may come from. A single ledger is checked. */
export function LedgerChoice({ ledgers, chosen, errors }: { ledgers: readonly Ledger[]; chosen: readonly string[]; errors?: string[] }) {
	return (
		<FieldSet legend="Ledgers" describedBy={errors ? 'ledgers-error' : undefined}>
			{ledgers.map(({ cocd, title, figure, help, isOff }, at) => (
				<Fragment key={cocd}>
					<label className={CHECK} htmlFor={`ledgers-${at}`}>
						<input
							id={`ledgers-${at}`}
							type="checkbox"
							name="ledgers"
							value={cocd}
							defaultChecked={!isOff && (chosen.includes(cocd) || ledgers.length === 1)}
							disabled={isOff}
							aria-invalid={errors && !isOff ? true : undefined}
							aria-describedby={help && `ledgers-${at}-help`}
						/>{' '}
						<span>{title}</span> {figure && <span className="figure ml-auto">{figure}</span>}
					</label>
					{help && (
						<p id={`ledgers-${at}-help`} className="text-muted -mt-1.5 mb-2 ml-7 text-xs">
							<Unbroken text={help} />
						</p>
					)}
				</Fragment>
			))}
			{ledgers.filter(({ figure }) => figure).length > 1 && (
				<p className="text-muted mb-2 text-xs">With both ticked, we choose how much each pays. To choose yourself, tick one.</p>
			)}
			<FieldError id="ledgers" errors={errors} />
		</FieldSet>
	)
}
