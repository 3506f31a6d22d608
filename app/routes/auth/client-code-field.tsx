import { Field, type FieldState } from '~/components/form'

/** The client code of a visitor who is not logged in. Telephones write it in capitals, as the broker does. */
export function ClientCodeField({ field, help }: { field: FieldState; help?: string }) {
	return (
		<Field field={field} label="Client code" autoComplete="username" autoCapitalize="characters" spellCheck={false} help={help} required />
	)
}
