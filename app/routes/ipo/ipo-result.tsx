import { Banner } from '~/components/banner'
import { Failed, type FailureNotice } from '~/components/failed'
import { PageDialog } from '~/components/page-dialog'
import { type SummaryItem, SummaryList } from '~/components/summary-list'
import { Unbroken } from '~/components/unbroken'
import { type StatusKind } from '~/lib/status-kind'
import { DASH } from '~/lib/unknown'

export type BidOutcome = {
	status: string
	kind?: StatusKind
	message: string
	application: string
	reference: string
	exchange: string
	bid?: string
}

export type ResultProps = {
	title: string
	/** The bid has just been made. */
	isNew: boolean
	isPlaced: boolean
	/** Set while the client must accept the mandate. `until` is missing when the broker does not say it. */
	todo?: { until?: string }
	outcomes: readonly BidOutcome[]
	/** Facts of the whole application, so they stand first: the issue, the blocked amount, the status. */
	lines: readonly SummaryItem[]
	/** Link to another bid, when this one failed and the issue is open. */
	again?: string
	/** What only the broker's own record of the application says, when that could not be loaded. */
	failed?: { what: string; failure: FailureNotice } | false
}

/** The result of a bid: a page with its own address, to keep or to print. */
export function BidResult({ title, isNew, isPlaced, todo, outcomes, lines, again, failed }: ResultProps) {
	return (
		<PageDialog title={title} from="/connect/ipo/bids">
			{todo && (
				<Banner kind="warning">
					<b>
						Accept the mandate in your UPI app
						{todo.until && (
							<>
								{' '}
								by <Unbroken text={todo.until} />
							</>
						)}
						.
					</b>{' '}
					Otherwise the bid is void.
				</Banner>
			)}
			<SummaryList items={lines} />
			{outcomes.map(({ status, kind, message, application, reference, exchange, bid }, at) => (
				<SummaryList
					key={at}
					items={[
						...(outcomes.length > 1 ? [{ label: 'Bid', value: String(at + 1) }] : []),
						{ label: 'Status', value: status, status: kind },
						// What the exchange asked for then may be over by now.
						...(message ? [{ label: isNew ? 'Message' : 'Message when submitted', value: message }] : []),
						{ label: 'Application number', value: application },
						{ label: 'Bid reference', value: reference || DASH },
						{ label: 'Exchange', value: exchange },
						...(bid ? [{ label: 'Quantity and price', value: bid }] : []),
					]}
				/>
			))}
			{failed && <Failed {...failed} />}
			{!isPlaced && (
				<Banner kind="warning">
					No money is blocked for this bid.
					{again && (
						<>
							{' '}
							While the issue is open, <a href={again}>bid again</a>.
						</>
					)}
				</Banner>
			)}
			<div className="actions">
				<a href="/connect/ipo/bids" data-keep-scroll className="btn btn-primary">
					See bid report
				</a>
			</div>
		</PageDialog>
	)
}
