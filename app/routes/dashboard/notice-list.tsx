type Notice = { date: string; title: string; body: string; link?: string }

/** What the broker tells its clients, newest first. */
export function NoticeList({ notices }: { notices: readonly Notice[] }) {
	return (
		<ul>
			{notices.map(({ date, title, body, link }) => (
				<li key={date + title}>
					<h3>{title}</h3>
					<p>
						{date}: {body}{' '}
						{link && (
							<a href={link} rel="noopener noreferrer">
								Read more<span className="sr-only"> about {title}</span>
							</a>
						)}
					</p>
				</li>
			))}
		</ul>
	)
}
