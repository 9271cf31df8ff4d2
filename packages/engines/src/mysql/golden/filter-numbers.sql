SELECT `Origin` AS `Origin`,
       COUNT(*) AS `count`
FROM `cars`
WHERE `Cylinders` IN (?, ?, ?)
  AND `Acceleration` >= ?
  AND CAST(`Weight_in_lbs` AS CHAR) LIKE ?
GROUP BY `Origin`
ORDER BY `Origin` IS NULL ASC, `Origin` ASC
LIMIT 50000;
-- [4,6,8,15.5,"3%"]
