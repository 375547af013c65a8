/** The price of an endpoint that runs, after "costs": `$1.20 an hour`. @param pricePerHour US dollars; null: unknown */
export function priceText(pricePerHour: number | null): string {
  return pricePerHour === null ? 'money while it runs' : `$${pricePerHour.toFixed(2)} an hour`;
}
