import { Banner } from './banner'
import { Unbroken } from './unbroken'

export type WaitingPledge = {
	id: string
	/** What to confirm, and by when. */
	title: string
	/** What happens otherwise. */
	words?: string
	/** The page that confirms it; undefined when the broker has no request to open. */
	href?: string
	label: string
}

/** At the top of a page: what the client must confirm at the depository. The first that can be confirmed has the main button of the page. */
export function WaitingPledges({ pledges }: { pledges: readonly WaitingPledge[] }) {
	const main = pledges.find(({ href }) => href)
	return pledges.map(({ id, title, words, href, label }) => (
		<Banner
			key={id}
			kind="warning"
			action={
				href && (
					<a href={href} className={id === main?.id ? 'btn btn-primary' : 'btn'}>
						{label}
					</a>
				)
			}
		>
			<p className="font-semibold">
				<Unbroken text={title} />
			</p>
			{words && <p>{words}</p>}
		</Banner>
	))
}
