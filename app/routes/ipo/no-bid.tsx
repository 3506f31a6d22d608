/** Says why the client cannot bid, and links to another page. */
export function NoBid({ name, status, hasDemat }: { name: string; status: string; hasDemat: boolean }) {
	return (
		<p>
			{status === 'UPCOMING'
				? 'Bids are not open yet.'
				: status === 'CLOSED'
					? `Bidding for ${name} has closed.`
					: !hasDemat
						? 'You have no demat account to receive the shares.'
						: 'None of the categories of this issue is open to you.'}{' '}
			<a href={!hasDemat ? '/myaccount' : '/connect/ipo'}>{!hasDemat ? 'See your profile' : 'See live issues'}</a>
		</p>
	)
}
