import { Fragment } from 'react'
import { formatDuration } from '~/lib/durations'
import { type Brand } from './brand'

/** The same help in the same place on every page. */
export function Footer({ brand, idleMs }: { brand: Brand; idleMs?: number }) {
	return (
		<footer className="border-line text-muted flex flex-wrap items-center gap-x-5 border-t px-4 py-2 text-xs lg:px-6 min-[90rem]:px-8 print:hidden">
			<p className="max-sm:sr-only">{brand.name}</p>
			{[...brand.support, ...(brand.complaints ? [brand.complaints] : [])].map(({ label, href }) => (
				<Fragment key={href}>
					{/* Without the space a text browser would join the links. */}{' '}
					<a className="inline-flex items-center text-inherit underline max-sm:min-h-10 sm:py-1.5" href={href} rel="noopener">
						{label}
					</a>
				</Fragment>
			))}
			{/* Folded on a phone only. */}
			<details className={`basis-full ${OPEN_WHEN_WIDE}`}>
				<summary className={`w-fit py-2.5 ${HIDDEN_WHEN_WIDE}`}>Registration and grievances</summary>
				<div className="flex flex-wrap gap-x-5 gap-y-1 pb-2 *:py-1">
					{brand.legal?.map((words) => (
						<p key={words}>{words}</p>
					))}
					{idleMs !== undefined && <p>You are logged out after {formatDuration(idleMs)} without activity.</p>}
				</div>
			</details>
		</footer>
	)
}

const OPEN_WHEN_WIDE = 'sm:[&::details-content]:block sm:[&::details-content]:[content-visibility:visible]'
/** A browser that cannot open it by CSS keeps the line that opens it. */
const HIDDEN_WHEN_WIDE = 'sm:supports-[selector(::details-content)]:hidden'
