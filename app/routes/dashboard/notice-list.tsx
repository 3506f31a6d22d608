type Notice = { date: string; title: string; body: string; link?: string }

/** Notices of the broker, newest first. */
export function NoticeList({ notices }: { notices: readonly Notice[] }) {
	return (
		<ul className="divide-line divide-y">
			{notices.map(({ date, title, body, link }, at) => (
				<li key={at} className="py-3 first:pt-0 last:pb-0">
					<h3>{title}</h3>
					<p className="text-muted text-xs">{date}</p>
					<p className="text-sm">
						{body}{' '}
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
