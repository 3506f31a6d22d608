import { Banner } from '~/components/banner'
import { Unbroken } from '~/components/unbroken'
import { type WaitingChange } from './waiting-changes.server'

type Props = {
	changes: readonly WaitingChange[]
	/** To sign is the main action of the page. Only the first button is filled. */
	isMain?: boolean
}

/** What only needs the client's signature: above the form of a change, or at the top of the profile. */
export function WaitingChanges({ changes, isMain }: Props) {
	return changes.map(({ reference, words, next, sign, withdraw }, at) => (
		<Banner
			key={reference}
			kind="warning"
			action={
				<>
					<a href={sign} className={isMain && at === 0 ? 'btn btn-primary' : 'btn px-3'}>
						Sign<span className="sr-only">: {words}</span>
					</a>{' '}
					<a href={withdraw} className="inline-flex min-h-10 items-center">
						Withdraw the request<span className="sr-only">: {words}</span>
					</a>
				</>
			}
		>
			<p>
				<Unbroken text={words} /> {next}
			</p>
		</Banner>
	))
}
