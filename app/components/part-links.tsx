import { Fragment } from 'react'
import { WIDE_OPEN } from './folded'

/** `link`: a short name, so that the links to all parts fit one line. */
export type PartLink = { anchor: string; link: string }

/** Links to the parts of a page that is several screens long. A phone folds them, because they fill several lines. */
export function PartLinks({ parts, className = '' }: { parts: readonly PartLink[]; className?: string }) {
	if (parts.length < 2) return null
	return (
		<nav aria-label="On this page" className={`text-xs print:hidden ${className}`}>
			<details className={WIDE_OPEN}>
				<summary className="text-primary w-fit py-2.5 max-sm:text-sm">On this page</summary>
				<p className="before:text-muted flex flex-wrap items-baseline gap-x-3 max-sm:flex-col max-sm:pl-4 max-sm:text-sm sm:before:content-['On_this_page']">
					{parts.map(({ anchor, link }) => (
						<Fragment key={anchor}>
							<a href={`#${anchor}`} className="py-2 max-sm:w-fit max-sm:py-2.5">
								{link}
							</a>{' '}
						</Fragment>
					))}
				</p>
			</details>
		</nav>
	)
}
