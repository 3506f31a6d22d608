import { ReportTable } from '~/components/report-table'
import { Section } from '~/components/section'
import { type Table } from '~/lib/table'
import { PARTS } from './income-tax-parts'

export function Estimate({ table }: { table: Table }) {
	return (
		<Section {...PARTS.estimate}>
			<ReportTable {...table} empty={{ text: '' }} />
			<p className="mt-2 text-xs text-muted">
				Taxed: the gain after set-off, less the exemption, which reduces the gains with the higher rate first. The cess is on the tax.
			</p>
		</Section>
	)
}

type Windows = { year: string; windows: Table & { isUndated: boolean }; areLossesListed: boolean }

export function AdvanceTax({ year, windows, areLossesListed }: Windows) {
	const { isUndated, ...table } = windows
	return (
		<Section {...PARTS.windows}>
			<p className="mb-2 text-sm">Gains after set-off, and dividends before it, by window; not the tax due.</p>
			<ReportTable {...table} isStacked empty={{ text: `Nothing was received in ${year}.` }} />
			<p className="mt-2 text-xs text-muted">
				Gains count on the day of sale
				{isUndated ? '. The dates of dividends are not given.' : ', dividends on the ex-date.'} Losses are set off, so that no window is
				negative. Business income has no windows in the return.
				{!areLossesListed && ' Losses of other heads and of earlier years may be set off too; they are not listed here.'}
			</p>
		</Section>
	)
}

/** Tables that a broker does not give are left out. */
export function Losses({ year, setOff, losses }: { year: string; setOff?: Table; losses?: Table }) {
	return (
		<>
			{setOff && (
				<Section {...PARTS.setOff}>
					<ReportTable {...setOff} empty={{ text: `No loss was set off in ${year}.` }} />
					{setOff.rows.length > 0 && (
						<p className="mt-2 text-xs text-muted">
							This year’s losses are used first, then those of earlier years, the oldest of each kind first. The loss that fits the fewest
							gains goes first, against the gain taxed highest; your slab rate counts as the highest. You may choose otherwise.
						</p>
					)}
				</Section>
			)}
			{losses && (
				<Section {...PARTS.losses}>
					<ReportTable {...losses} empty={{ text: `No loss is left to carry forward from ${year}.` }} />
					{losses.rows.length > 0 && (
						<p className="mt-2 text-xs text-muted">
							A loss is carried forward only when the return of its year was filed by the due date. Losses made elsewhere or before these
							books are not included; income from elsewhere may use up a business loss.
						</p>
					)}
				</Section>
			)}
		</>
	)
}
