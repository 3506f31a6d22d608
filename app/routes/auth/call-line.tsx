import { Fragment } from 'react'
import { useRoot } from '~/components/use-root'

/** The broker's telephone numbers, for a visitor who cannot log in. */
export function CallLine() {
	const { phones = [] } = useRoot().brand
	if (phones.length === 0) return null
	return (
		<p>
			Need help? Call{' '}
			{phones.map(({ label, href }, index) => (
				<Fragment key={href}>
					{index > 0 && ' or '}
					<a href={href} className="whitespace-nowrap">
						{label}
					</a>
				</Fragment>
			))}
		</p>
	)
}
