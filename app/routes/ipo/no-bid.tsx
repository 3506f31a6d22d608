type Props = {
	name: string
	status: string
	/** The day on which bids open, when it is known and to come. */
	opens?: string
	hasDemat: boolean
	/** An application of the client uses every category that is open to them. */
	hasApplied: boolean
}

/** Says why the client cannot bid, and links to another page. */
export function NoBid({ name, status, opens, hasDemat, hasApplied }: Props) {
	return (
		<p>
			{status === 'UPCOMING'
				? opens
					? `Bids open on ${opens}.`
					: 'Bids are not open yet.'
				: status === 'CLOSED'
					? `Bidding for ${name} has closed.`
					: !hasDemat
						? 'You have no demat account to receive the shares.'
						: hasApplied
							? 'You have applied in every category that is open to you.'
							: 'None of the categories of this issue is open to you.'}{' '}
			<a href={!hasDemat ? '/myaccount' : '/connect/ipo'}>{!hasDemat ? 'See your profile' : 'See live issues'}</a>
		</p>
	)
}
