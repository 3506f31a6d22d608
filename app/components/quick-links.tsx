import { Failed, type FailureNotice } from './failed'
import { Section } from './section'

export const QUICK_LINKS = 'Quick links'

type Props = {
	links: readonly { title: string; href?: string }[]
	failure?: FailureNotice
	/** In the text size of a table, because tables stand beside them. */
	isSmall?: boolean
}

/** Links to other sites; nothing when there are none. */
export function QuickLinks({ links, failure, isSmall }: Props) {
	if (!failure && links.length === 0) return null
	return (
		<Section title={QUICK_LINKS}>
			{failure ? (
				<Failed what={QUICK_LINKS} failure={failure} />
			) : (
				<ul
					className={`grid grid-cols-2 gap-x-4 ${isSmall ? 'text-xs' : 'max-sm:text-sm'} sm:grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] sm:gap-x-6`}
				>
					{links.map(({ title, href }) => (
						<li key={`${title} ${href}`} className="py-2">
							{href ? (
								<a href={href} rel="noopener noreferrer">
									{title}
								</a>
							) : (
								title
							)}
						</li>
					))}
				</ul>
			)}
		</Section>
	)
}
