import { Banner } from './banner'
import { Unbroken } from './unbroken'

export type WaitingPledge = {
	id: string
	/** The first line: what to confirm, and by when. With it the link is the main button of the page. */
	title?: string
	/** The text, with the deadline. */
	words: string
	/** The page that confirms it; undefined when the broker has no request to open. */
	href?: string
	label: string
}

/** At the top of a page: what the client must confirm at the depository. */
export function WaitingPledges({ pledges }: { pledges: readonly WaitingPledge[] }) {
	return pledges.map(({ id, title, words, href, label }) => (
		<Banner key={id} kind="warning">
			{title ? (
				<>
					<p className="font-semibold">
						<Unbroken text={title} />
					</p>
					{words && <p>{words}</p>}
					{href && (
						<p>
							<a href={href} className="btn btn-primary">
								{label}
							</a>
						</p>
					)}
				</>
			) : (
				<>
					{words} {href && <a href={href}>{label}</a>}
				</>
			)}
		</Banner>
	))
}
