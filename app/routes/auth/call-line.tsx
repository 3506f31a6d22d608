import { Contacts } from '~/components/support-line'
import { useRoot } from '~/components/use-root'

/** The broker's telephone numbers, for a visitor who cannot log in. */
export function CallLine() {
	const phones = useRoot().brand.support.filter(({ href }) => href.startsWith('tel:'))
	if (phones.length === 0) return null
	return (
		<p>
			Need help? Call <Contacts list={phones} />
		</p>
	)
}
