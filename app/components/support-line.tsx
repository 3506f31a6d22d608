import { Fragment } from 'react'
import { useRoot } from './use-root'

/** Links to the support contacts of the broker; nothing when there are none. */
export function SupportLine() {
	const { support } = useRoot().brand
	if (support.length === 0) return null
	return (
		<p className="text-xs">
			If you need help, tell us the reference:{' '}
			{support.map(({ label, href }, index) => (
				<Fragment key={href}>
					{index > 0 && ' · '}
					<a href={href} rel="noopener">
						{label}
					</a>
				</Fragment>
			))}
		</p>
	)
}
