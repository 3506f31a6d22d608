import { Banner } from '~/components/banner'
import { Unbroken } from '~/components/unbroken'
import { type WaitingChange } from './waiting-changes.server'

type Props = {
	changes: readonly WaitingChange[]
	/** The form for another request is folded, so to sign is the main action of the page. */
	isMain?: boolean
}

/** Above the form of a change: the requests for it that only need the client's signature. */
export function WaitingChanges({ changes, isMain }: Props) {
	return changes.map(({ reference, words, next, sign }) => (
		<Banner key={reference} kind="warning">
			<p>
				<Unbroken text={words} /> {next}
			</p>
			<p className="mt-2 flex flex-wrap items-center gap-x-5 gap-y-2">
				<a href={sign} className={isMain ? 'btn btn-primary' : 'btn px-3'}>
					Sign<span className="sr-only">: {words}</span>
				</a>{' '}
				<a href="/myaccount/requests">
					Withdraw the request<span className="sr-only">: {words}</span>
				</a>
			</p>
		</Banner>
	))
}
