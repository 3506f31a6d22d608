type Props = {
	/** What the rows are, when the title does not say it. */
	about?: string
	period: string
	turned?: { href: string; label: string }
}

/** What the page shows and its period, under a title, and a link that reverses the order of the rows. */
export function PeriodNote({ about, period, turned }: Props) {
	return (
		<>
			{about && <span className="block">{about}</span>}
			{period}
			{turned && (
				<span className="print:hidden">
					{' '}
					·{' '}
					<a href={turned.href} data-keep-scroll className="-my-2 inline-block py-2">
						{turned.label}
					</a>
				</span>
			)}
		</>
	)
}
