import { DownloadLink } from '~/components/download-link'
import { ErrorSummary, SubmitButton } from '~/components/form'
import { PageDialog } from '~/components/page-dialog'
import { PostForm } from '~/components/post-form'
import { type SummaryItem, SummaryList } from '~/components/summary-list'

export type ConfirmProps = {
	/** The page of the issue. */
	page: string
	draft: string
	idempotencyKey: string
	answers: readonly SummaryItem[]
	warnings: readonly string[]
	/** Set above the limit: the form for the bank, in place of a bid. */
	file?: { href: string; flag: string }
	errors?: readonly string[]
}

/** The whole bid, before it is placed. */
export function ConfirmBid({ page, draft, idempotencyKey, answers, warnings, file, errors = [] }: ConfirmProps) {
	return (
		<PageDialog title={file ? 'Bid form' : 'Confirm bid'} from={page} opener="bid">
			<ErrorSummary form={{ errors: [...errors] }} />
			<SummaryList items={answers} />
			{warnings.map((warning) => (
				<p key={warning} className="prose">
					{warning}
				</p>
			))}
			{file ? (
				<>
					{/* A reply cannot be both a page and a file, so the page fetches the file, without a script. */}
					<meta httpEquiv="refresh" content={`0; url=${file.href}`} />
					<div className="actions">
						<DownloadLink href={file.href} label="Download bid form (PDF)" type="IPO" flag={file.flag} look="button" />
						<a href={page}>Change the bid</a>
					</div>
				</>
			) : (
				<PostForm action={`${page}?dialog=confirm`} idempotencyKey={idempotencyKey}>
					<input type="hidden" name="intent" value="submit" />
					<input type="hidden" name="draft" value={draft} />
					<div className="actions">
						<SubmitButton>Submit bid</SubmitButton>
						<a href={page}>Change the bid</a>
						{errors.length > 0 && <a href="/connect/ipo/bids">See your bids</a>}
					</div>
				</PostForm>
			)}
		</PageDialog>
	)
}
