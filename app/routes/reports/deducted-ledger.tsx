import { type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { formatDay } from '#contract/values/dates'
import { formatBalance, formatRupees, type Paise } from '#contract/values/money'
import { today } from '~/broker/clock.server'
import { getDashboardDeductedLedger } from '~/broker/dashboard.server'
import { listClientLedgers } from '~/broker/profile.server'
import { Banner } from '~/components/banner'
import { BridgeTable } from '~/components/bridge-table'
import { Failed } from '~/components/failed'
import { FailedParts } from '~/components/failed-parts'
import { OtherReports } from '~/components/failed-report'
import { Halves } from '~/components/halves'
import { KeyFigures } from '~/components/key-figures'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { Section } from '~/components/section'
import { Unbroken } from '~/components/unbroken'
import { loadSidePart } from '~/http/partial-data.server'
import { sumOrNull } from '~/lib/unknown'
import { findDue, listBalances } from '~/reports/balances.server'
import { findDebt, getWithdrawableBridge } from '~/reports/withdrawable.server'
import { requireBroker } from '~/session/session.server'

export const handle = { title: 'Deducted ledger', areScriptsLate: true }

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	// Only checks the lines below, so the page works without it.
	const [deducted, cocds] = await Promise.all([loadSidePart(broker, getDashboardDeductedLedger(broker), []), listClientLedgers(broker)])
	const bridges = await Promise.all(cocds.map((cocd) => getWithdrawableBridge(broker, cocd, findDue(deducted.data, cocd) ?? undefined)))
	return {
		asOf: formatDay(today()),
		// Two equal sums under one another would look like two things.
		bridges: bridges.map((bridge) => ({ ...bridge, rows: bridge.isSame ? bridge.rows?.toSpliced(-2, 1) : bridge.rows })),
		addFunds: findDebt(bridges),
		most: sumMost(bridges),
		balances: deducted.failure ? undefined : listBalances(deducted, cocds),
		failure: deducted.failure,
	}
}

/** Returns what can be withdrawn from all ledgers; undefined when one is missing. A ledger with a payout in progress offers nothing. */
function sumMost(bridges: readonly { withdrawable?: Paise; isUnderWay?: boolean }[]): Paise | undefined {
	const sum = sumOrNull(bridges.map(({ withdrawable = null, isUnderWay }) => (isUnderWay ? 0 : withdrawable)))
	return bridges.length === 0 ? undefined : (sum ?? undefined)
}

const BACK = { href: '/reports/ledger', label: 'Back to Ledger' }
const PROOF = 'The broker’s deducted ledger'

export default function DeductedLedger() {
	const { asOf, bridges, addFunds, most, balances, failure } = useLoaderData<typeof loader>()
	const parts = [
		...bridges.flatMap(({ title, failure: failed, linesFailure }) => [
			{ what: title, failure: failed },
			// Without the sums there is nothing that lines could explain.
			...(failed ? [] : [{ what: `The details of ${title}`, failure: linesFailure }]),
		]),
		{ what: PROOF, failure },
	]
	return (
		<>
			<PageTitle title="Deducted ledger" back={BACK} note={parts.some(({ failure: failed }) => !failed) ? `As of ${asOf}` : undefined} />
			<FailedParts parts={parts} what="Your deducted ledger" rest={<OtherReports choice="none" />}>
				<KeyFigures figures={listFigures(most, balances)} />
				<p className="mb-4 print:hidden">
					{bridges.every(({ withdrawable }) => withdrawable === 0) ? (
						<a href={addFunds} className="btn btn-primary">
							Add funds
						</a>
					) : (
						<a href="/funds/withdraw" className="btn btn-primary">
							Withdraw funds
						</a>
					)}
				</p>
				{bridges.some(({ ledger }) => ledger && ledger > 0) && (
					<p className="prose text-sm">
						Not all of the ledger can be withdrawn: money from a sale arrives a working day later, and margin stays blocked while a position
						is open.
					</p>
				)}
				<Halves isEqual>
					{bridges.map(({ title, rows, failure: failed, linesFailure, mismatch }) => (
						<Section key={title} title={title} isNarrow={bridges.length === 1}>
							{mismatch && (
								<Banner kind="warning">
									<Unbroken text={mismatch} />
								</Banner>
							)}
							{rows ? (
								<BridgeTable caption={`${title}: from ledger to withdrawable`} rows={rows} />
							) : (
								<Failed what={title} failure={failed} />
							)}
							{linesFailure && <Failed what={`The details of ${title}`} failure={linesFailure} />}
						</Section>
					))}
				</Halves>
				{failure && <Failed what={PROOF} failure={failure} />}
			</FailedParts>
		</>
	)
}

/**
 * Returns what can be withdrawn, then the figures of the dashboard: the total, when there are several ledgers and it is another sum, and
 * each ledger.
 */
function listFigures(most?: Paise, balances?: { total?: string; rows?: readonly { label: string; figure: string }[] }) {
	// An amount beside what can be withdrawn needs no side, unless it is owed.
	const each = balances?.rows?.map(({ label, figure }) => ({ label, text: figure.replace(/ Cr$/, '') })) ?? []
	return [
		...(most === undefined ? [] : [{ label: 'You can withdraw', text: formatRupees(most), isMain: true }]),
		...(each.length > 1 && balances?.total && (most === undefined || balances.total !== formatBalance(most))
			? [{ label: 'Deducted ledger, in all', text: balances.total.replace(/ Cr$/, '') }]
			: []),
		...each,
	]
}

export function ErrorBoundary() {
	return <PageProblem title="Deducted ledger" />
}
