import { useRoot } from '~/components/use-root'

/** The broker's telephone number, for a visitor who cannot log in. */
export function CallLine() {
	const { phone } = useRoot().brand
	return (
		phone && (
			<p>
				Need help? Call <a href={phone.href}>{phone.label}</a>
			</p>
		)
	)
}
