import { Fragment } from 'react'
import { formatDuration } from '~/lib/durations'
import { type Brand } from './brand'

/** The same help in the same place on every page. */
export function Footer({ brand, idleMs }: { brand: Brand; idleMs?: number }) {
	return (
		<footer className="border-line text-muted flex flex-wrap gap-x-5 gap-y-1 border-t p-4 text-xs lg:px-6 min-[90rem]:px-8 print:hidden">
			<p className="py-1">{brand.name}</p>
			{[...brand.support, ...(brand.complaints ? [brand.complaints] : [])].map(({ label, href }) => (
				<Fragment key={href}>
					{/* Without the space a text browser would join the links. */}{' '}
					<a className="inline-block py-1 text-inherit underline" href={href} rel="noopener">
						{label}
					</a>
				</Fragment>
			))}
			{brand.legal?.map((words) => (
				<p key={words} className="py-1">
					{words}
				</p>
			))}
			{idleMs !== undefined && <p className="py-1">You are logged out after {formatDuration(idleMs)} without activity.</p>}
		</footer>
	)
}
