import { Fragment } from 'react'
import { formatDuration } from '~/lib/durations'
import { WIDE_OPEN } from './folded'
import { type Brand } from './use-root'

type Props = {
	brand: Brand
	idleMs?: number
	/** Classes of the space on the left and right, so that the footer begins where the page does. */
	edges?: string
	isCentred?: boolean
}

/** The same help in the same place on every page. */
export function Footer({ brand, idleMs, edges = 'px-4 lg:px-6 min-[90rem]:px-8', isCentred }: Props) {
	const place = isCentred ? 'sm:justify-center' : ''
	return (
		<footer className={`border-line text-muted flex flex-wrap items-center gap-x-5 border-t py-2 text-xs print:hidden ${edges} ${place}`}>
			<p className="max-sm:sr-only">{brand.name}</p>
			{[...brand.support, ...(brand.complaints ? [brand.complaints] : [])].map(({ label, href }) => (
				<Fragment key={href}>
					{/* Without the space a text browser would join the links. */}{' '}
					<a className="inline-flex items-center text-inherit underline max-sm:min-h-10 sm:py-1.5" href={href} rel="noopener">
						{label}
					</a>
				</Fragment>
			))}
			{/* Folded on a phone only. */}{' '}
			{brand.legal && (
				<details className={`basis-full ${WIDE_OPEN}`}>
					<summary className="w-fit py-2.5">Registration and grievances</summary>
					<div className={`flex flex-wrap gap-x-5 gap-y-1 *:py-1 ${place}`}>
						{brand.legal.map((words) => (
							<p key={words}>
								{words.split(/([^\s,]+@[^\s,]+)/).map((part, at) =>
									at % 2 === 0 ? (
										part
									) : (
										<a key={part} className="text-inherit underline" href={`mailto:${part}`}>
											{part}
										</a>
									),
								)}
							</p>
						))}
					</div>
				</details>
			)}{' '}
			{idleMs !== undefined && <p className="pt-1 pb-2">You are logged out after {formatDuration(idleMs)} without activity.</p>}
		</footer>
	)
}
