import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { FormStack } from '../ui/form-stack';

type CouponFormProps = { action: string; period: string; coupon: string | undefined; from?: string | null };

/** Where a buyer enters a coupon: the checkout is opened anew with it, also without script. */
export function CouponForm({ action, period, coupon, from = null }: CouponFormProps) {
  return (
    <FormStack method="get" action={action}>
      <input type="hidden" name="period" value={period} />
      {from && <input type="hidden" name="from" value={from} />}
      <Field name="coupon" label="Coupon" defaultValue={coupon} maxLength={20} autoComplete="off" />
      <div>
        <Button type="submit" look="secondary" size="small">
          Apply
        </Button>
      </div>
    </FormStack>
  );
}
