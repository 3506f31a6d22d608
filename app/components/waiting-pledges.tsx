import { Banner } from './banner'

export type WaitingPledge = {
	id: string
	/** The text, with the deadline. */
	words: string
	/** The page that confirms it; undefined when the broker has no request to open. */
	href?: string
	label: string
}

/** At the top of a page: what the client must confirm at the depository. */
export function WaitingPledges({ pledges }: { pledges: readonly WaitingPledge[] }) {
	return pledges.map(({ id, words, href, label }) => (
		<Banner key={id} kind="warning">
			{words} {href && <a href={href}>{label}</a>}
		</Banner>
	))
}
