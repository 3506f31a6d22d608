import { sayCode } from '#contract/values/code-names'
import { Banner } from '~/components/banner'
import { SubmitButton } from '~/components/form'
import { PostForm } from '~/components/post-form'
import { SummaryList } from '~/components/summary-list'
import { Unbroken } from '~/components/unbroken'
import { signPath } from '~/lib/sign-pages'

type Props = {
	reference: string
	/** WAITING, CLOSING, CLOSED, or another status of the broker. */
	status: string
	lines: readonly { label: string; value: string }[]
	/** Idempotency key of the withdrawal. */
	idempotencyKey: string
	/** The page that withdraws it, from another page. */
	action?: string
}

/** A closure request under way, and what the client can still do. */
export function ClosureStatus({ reference, status, lines, idempotencyKey, action }: Props) {
	return (
		<div className="mb-6">
			<Banner kind={status === 'WAITING' ? 'warning' : 'info'}>
				{status === 'WAITING' && <Unbroken text="Your closure request awaits your e-sign. Nothing happens until you sign it." />}
				{status === 'CLOSING' && 'Your account is being closed. Until that is done you can withdraw the request.'}
				{status === 'CLOSED' && 'Your account is closed.'}
				{!['WAITING', 'CLOSING', 'CLOSED'].includes(status) && `Your closure request is at the broker: ${sayCode(status)}.`}
			</Banner>
			<SummaryList items={lines} />
			{status !== 'CLOSED' && (
				<PostForm action={action} idempotencyKey={idempotencyKey}>
					<input type="hidden" name="intent" value="withdraw" />
					<input type="hidden" name="reference" value={reference} />
					<div className="actions">
						{status === 'WAITING' && (
							<a className="btn btn-primary" href={signPath(reference)}>
								Sign
							</a>
						)}
						<SubmitButton kind="plain">Withdraw the request</SubmitButton>
					</div>
				</PostForm>
			)}
		</div>
	)
}
