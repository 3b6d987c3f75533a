import { Body } from 'pliant';

// A planted defect: a pinned body that is put to sleep never returns.
const sleep = Body.prototype.sleep;
Body.prototype.sleep = function () {
  while (this.pinnedCount > 0);
  return sleep.call(this);
};
