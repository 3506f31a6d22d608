import { Field, type FieldState } from '~/components/form'

const WHERE = 'It is on your contract notes.'

/** The client code of a visitor who is not logged in. Telephones write it in capitals, as the broker does. */
export function ClientCodeField({ field, next = '' }: { field: FieldState; next?: string }) {
	const help = `${WHERE} ${next}`.trim()
	return (
		<Field field={field} label="Client code" autoComplete="username" autoCapitalize="characters" spellCheck={false} help={help} required />
	)
}
