SELECT UPPER(`Origin`) AS `loud`,
       COUNT(*) AS `count`
FROM `cars`
GROUP BY UPPER(`Origin`)
ORDER BY COUNT(*) IS NULL DESC, COUNT(*) DESC
LIMIT 50000;
-- []
