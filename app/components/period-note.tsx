type Props = { period: string; turned?: { href: string; label: string } }

/** The period under a title, and a link that reverses the order of the rows. */
export function PeriodNote({ period, turned }: Props) {
	if (!turned) return period
	return (
		<>
			{period}{' '}
			<span className="print:hidden">
				·{' '}
				<a href={turned.href} data-keep-scroll className="-my-2 inline-block py-2">
					{turned.label}
				</a>
			</span>
		</>
	)
}
